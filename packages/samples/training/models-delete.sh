model=$(curl -sS --fail-with-body "$TRAINYARD_TRAINING_URL/v1/preview/models" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "project": "support-desk",
    "name": "scratch",
    "base_model": "demo/tiny",
    "return_existing": true
  }' | sed 's/.*"id": *"\([^"]*\)".*/\1/')

curl -sS --fail-with-body -X DELETE "$TRAINYARD_TRAINING_URL/v1/preview/models/$model" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY"
