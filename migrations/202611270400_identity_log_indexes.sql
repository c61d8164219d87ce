-- Every command writes a row of the log, and each index costs it: what failed is few and is looked for,
-- what succeeded is nearly everything; a call is looked for by its address or its name, which no index of the address answers.
drop index identity_operation_log_result;
create index identity_operation_log_failed on identity_operation_log (at desc, id desc) where result_code <> '0000000';
drop index identity_operation_log_call;
