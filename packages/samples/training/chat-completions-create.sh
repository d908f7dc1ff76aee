curl -sS --fail-with-body "$TRAINYARD_TRAINING_URL/v1/chat/completions" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "model": "artifact:///harbor/support-desk/agent-1:step2",
    "messages": [
      {
        "role": "user",
        "content": "Does the 9:40 to Bergen carry bicycles?"
      }
    ]
  }'
