trainyard call models.create --project support-desk --name agent-1 --base_model demo/tiny --return_existing true
trainyard call models.checkpoints.list 6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30 --limit 2
trainyard call chat.completions.create --service inference --example stream
echo '{"steps": [1]}' | trainyard call models.checkpoints.delete 6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30
trainyard call feedback.stats --example percentiles --granularity 3600 --dry-run
