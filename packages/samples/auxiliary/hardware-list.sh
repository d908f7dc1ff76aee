curl -sS --fail-with-body "$TRAINYARD_AUXILIARY_URL/inference/vendor/v2/hardware?model=tiny" \
  -H "Authorization: Bearer $TRAINYARD_ACCESS_TOKEN"
