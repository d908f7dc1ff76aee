curl -sS --fail-with-body "$TRAINYARD_INFERENCE_URL/models/demo%2Ftiny" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY"
