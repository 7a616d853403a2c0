-- Whether a file of this name lies in a folder already.
create index assets_by_filename on assets (client_id, folder_id, lower(original_filename)) where trashed_at is null;
