curl -sS --fail-with-body "$TRAINYARD_TRAINING_URL/v1/preview/training-jobs" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY" \
  -H "Idempotency-Key: agent-1-rl-1" \
  -H "Content-Type: application/json" \
  -d '{
    "model_id": "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30",
    "trajectory_groups": [
      {
        "trajectories": [
          {
            "messages_and_choices": [
              {
                "role": "user",
                "content": "When does the next train leave Voss?"
              },
              {
                "index": 0,
                "finish_reason": "stop",
                "message": {
                  "role": "assistant",
                  "content": "At 09:31, from track 2."
                }
              }
            ],
            "reward": 1
          },
          {
            "messages_and_choices": [
              {
                "role": "user",
                "content": "When does the next train leave Voss?"
              },
              {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "I do not know."}
              }
            ],
            "reward": 0
          }
        ]
      }
    ],
    "experimental_config": {
      "learning_rate": 1e-05,
      "allow_training_without_logprobs": true
    }
  }'
