curl -sS --fail-with-body "$TRAINYARD_TRAINING_URL/v1/system-check"
