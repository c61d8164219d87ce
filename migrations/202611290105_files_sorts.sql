-- Everybody's tasks and files stand the newest first; those of one person had an index, all of them had none.
create index files_file_object_created_all on files_file_object (created_at, id);
create index files_export_task_created_all on files_export_task (created_at, id);
create index files_import_task_created_all on files_import_task (created_at, id);
