"""Slow, independent reference implementations to test the engines against."""
