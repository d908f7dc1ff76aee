curl -sS --fail-with-body "$TRAINYARD_INFERENCE_URL/chat/completions" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY" \
  -H "Compat-Project: harbor/support-desk" \
  -H "Content-Type: application/json" \
  -d '{
    "model": "demo/tiny",
    "messages": [
      {
        "role": "user",
        "content": "Does the 9:40 to Bergen carry bicycles?"
      }
    ]
  }'
