curl -sS --fail-with-body "$TRAINYARD_AUXILIARY_URL/obj/read" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "project_id": "harbor/support-desk",
    "object_id": "agent-1-instructions",
    "digest": "latest",
    "include_tags_and_aliases": true
  }'
