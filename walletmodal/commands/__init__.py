"""The command line, `walletmodal …`: a module per command on a project, and what they share; `walletmodal.operator` has those on a deployment.

A project is the folder in which a command is run; everything that a command writes, it writes there.
Nothing of what serves visitors lives here.
"""
