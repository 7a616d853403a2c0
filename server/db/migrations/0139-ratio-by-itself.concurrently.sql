-- The rule of 0068-finding.sql in a language that the planner does not write out wherever it stands: it stood in five indexes,
-- and each statement about assets was planned with ten copies of it. What filters ask of an asset takes half the time, too.
create or replace function ratio_of(width integer, height integer) returns text language plpgsql immutable parallel safe as $$
begin
  return case
    when height = 0 then null
    when abs(width::float8 / height / 1 - 1) <= 0.01 then '1:1'
    when abs(width::float8 / height / (4::float8 / 5) - 1) <= 0.01 then '4:5'
    when abs(width::float8 / height / (5::float8 / 4) - 1) <= 0.01 then '5:4'
    when abs(width::float8 / height / (3::float8 / 4) - 1) <= 0.01 then '3:4'
    when abs(width::float8 / height / (4::float8 / 3) - 1) <= 0.01 then '4:3'
    when abs(width::float8 / height / (2::float8 / 3) - 1) <= 0.01 then '2:3'
    when abs(width::float8 / height / (3::float8 / 2) - 1) <= 0.01 then '3:2'
    when abs(width::float8 / height / (9::float8 / 16) - 1) <= 0.01 then '9:16'
    when abs(width::float8 / height / (16::float8 / 9) - 1) <= 0.01 then '16:9'
    when abs(width::float8 / height / (1.91::float8 / 1) - 1) <= 0.01 then '1.91:1'
  end;
end $$;
-- Who is connected learns of it by this.
analyze assets;
