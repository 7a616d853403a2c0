-- As in 0140-words-by-their-index.sql: a plan made while a list was short read all of it for each asset, and still did when it was long.
alter function list_asset(text, text) set enable_seqscan = off;
alter function list_asset(text, text) set enable_bitmapscan = off;
alter function assets_listed() set enable_seqscan = off;
alter function assets_listed() set enable_bitmapscan = off;
alter function assets_unlisted() set enable_seqscan = off;
alter function assets_unlisted() set enable_bitmapscan = off;
alter function assets_collected() set enable_seqscan = off;
alter function assets_collected() set enable_bitmapscan = off;
alter function unlisted_twin(text, text, text) set enable_seqscan = off;
alter function unlisted_twin(text, text, text) set enable_bitmapscan = off;
