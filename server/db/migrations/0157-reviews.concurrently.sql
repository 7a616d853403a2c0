-- Each state of reviews in the order of what was asked or decided last.
create index concurrently if not exists asset_versions_in_review on asset_versions
  (client_id, approval, coalesce(approval_at, created_at) desc, asset_id desc);
