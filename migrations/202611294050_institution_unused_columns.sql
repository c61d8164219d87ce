-- Nobody writes or reads them.
alter table institution_drugstore drop column last_visited_on, drop column row_hash;
