"""The resources of the API, one module an area. They look things up as the pages do and call the same services."""
