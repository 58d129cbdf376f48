"""The receiver: query events and scan reports over HTTP, kept in files that an audit reads."""
