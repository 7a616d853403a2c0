-- Whatever changes of an asset, the index of what is sought asks these of it anew, and so does each count of the table for its sample.
-- As questions of their own they were set up each time: most of what such a change took. The same facets and bins as before
-- (0080-facets.sql, 0151-bins.sql). Names are told with their schema, for an index is made without one in sight.
create or replace function facets_of(mime_type text, created_by text, width integer, height integer, alt_text text, approval text,
  allowed_surfaces text[]) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
declare
  surface text;
  facets text[] := array_remove(array[
    'kind ' || split_part(mime_type, '/', 1),
    'type ' || mime_type,
    'uploader ' || created_by,
    'orientation ' || public.orientation_of(width, height),
    'ratio ' || public.ratio_of(width, height),
    'approval ' || approval,
    case when alt_text = '' then 'without alt text' end,
    'width ' || length(ltrim(width::bit(32)::text, '0')),
    'height ' || length(ltrim(height::bit(32)::text, '0')),
    case when allowed_surfaces = '{}' then 'any surface' end
  ], null);
begin
  foreach surface in array allowed_surfaces loop
    facets := facets || ('surface ' || surface);
  end loop;
  return facets;
end $$;

create or replace function bins_of(created_at timestamptz, title text, size_bytes bigint) returns text[]
  language plpgsql immutable parallel safe as $$
declare
  time bigint := public.time_bin(created_at);
  size bigint := public.size_bin(size_bytes);
  bins text[] := array['time 0 ' || time, 'time 1 ' || (time >> 3), 'time 2 ' || (time >> 6), 'size 0 ' || size, 'size 1 ' || (size >> 3)];
begin
  for letters in 2..least(6, length(lower(title))) loop
    bins := bins || ('title ' || left(lower(title), letters));
  end loop;
  return bins;
end $$;
