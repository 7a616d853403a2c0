-- What filters ask of an asset, as words in one list: an index of them tells in a few milliseconds which assets have all
-- that was asked for, however rarely that comes together. `server/assets/facets.ts` asks in the same words.
create function facets_of(mime_type text, created_by text, width integer, height integer, alt_text text, approval text,
  allowed_surfaces text[]) returns text[] language sql immutable parallel safe
  return array(
    select facet from unnest(array[
      'kind ' || split_part(mime_type, '/', 1),
      'type ' || mime_type,
      'uploader ' || created_by,
      'orientation ' || orientation_of(width, height),
      'ratio ' || ratio_of(width, height),
      'approval ' || approval,
      case when alt_text = '' then 'without alt text' end,
      -- So many bits has the number.
      'width ' || length(ltrim(width::bit(32)::text, '0')),
      'height ' || length(ltrim(height::bit(32)::text, '0')),
      case when allowed_surfaces = '{}' then 'any surface' end
    ]) as facet where facet is not null
    union all select 'surface ' || surface from unnest(allowed_surfaces) as surface);
