-- What people were asked about or have decided on, each state in the order of when.
create index concurrently if not exists asset_versions_in_review on asset_versions
  (client_id, approval, coalesce(approval_at, created_at) desc, asset_id desc) where approval <> 'none';
