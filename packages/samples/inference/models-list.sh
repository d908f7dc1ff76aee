curl -sS --fail-with-body "$TRAINYARD_INFERENCE_URL/models" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY" \
  -H "Compat-Project: harbor/support-desk"
