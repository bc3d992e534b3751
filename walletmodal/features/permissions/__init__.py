"""Permissions that the embedded wallet's accounts have granted (ERC-7715): their list, and their end."""
