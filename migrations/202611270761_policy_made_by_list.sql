-- A first list brings policies that were not there before it; they go with a list that never took effect.
alter table policy_policy add column made_by_batch_id bigint references policy_insured_batch (id);
create index policy_policy_made_by on policy_policy (made_by_batch_id) where made_by_batch_id is not null;
