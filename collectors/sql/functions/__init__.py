"""What is known of SQL functions besides their values: in which argument they rise, and where."""
