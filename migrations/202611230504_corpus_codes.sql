-- Columns that hold codes of the contract list them, so that the table types know them.
alter table corpus_variable_info add check (operators <@ array['>', '<', '=', '>=', '<=', 'range']);
alter table corpus_scene_condition add check (group_no in (1, 2, 3, 4, 5)), drop constraint corpus_scene_condition_group_no_check;
