-- Nobody writes or reads it.
alter table files_file_object drop column duration_ms;
