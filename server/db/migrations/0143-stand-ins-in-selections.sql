-- As in collections (0141-stand-ins.sql): what a merge has put into a shared selection leaves it once those that it stands there for are restored.
alter table share_link_assets add column stands_for text[];

create function leave_selections(its_client text, stand_ins text[], for_ids text[]) returns void language sql as $$
  update share_link_assets set stands_for = array(select id from unnest(stands_for) as id where id <> all(for_ids))
    where client_id = its_client and asset_id = any(stand_ins) and stands_for && for_ids;
  delete from share_link_assets where client_id = its_client and asset_id = any(stand_ins) and stands_for = '{}';
$$;
