"""Ways in: an email address and the code that is mailed to it, with its limits, its mails, and the approval of devices."""
