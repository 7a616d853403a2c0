-- How many there are of each kind and shape. Indexes of these have such statistics, but functions that the planner writes out
-- are not found in them: it took each for one in two hundred, and sorted all of a kind for a page that an index has in order.
create statistics if not exists assets_of_each_kind on (split_part(mime_type, '/', 1)) from assets;
create statistics if not exists assets_of_each_ratio on (ratio_of(width, height)) from assets;
create statistics if not exists assets_of_each_orientation on (orientation_of(width, height)) from assets;
analyze assets;
