-- A schedule runs under the assignment in which its owner made it, and waits for whoever had no room for his file.
alter table policy_query_view
  add column owner_user_role_id bigint,
  -- of the export that is due: those who have not got it yet
  add column waiting jsonb not null default '[]' check (jsonb_typeof(waiting) = 'array'),
  add constraint policy_query_view_waiting check (next_on is not null or waiting = '[]');
-- So far the first assignment that may export was taken; where there is none, nobody can have it run.
update policy_query_view v
set owner_user_role_id = (
  select min(ur.id) from identity_user_role ur join identity_role_permission rp on rp.role_id = ur.role_id
  where ur.user_id = v.owner_user_id and rp.code = 'policy.query.export')
where v.schedule_day is not null;
update policy_query_view set schedule_day = null, next_on = null where owner_user_role_id is null and schedule_day is not null;
alter table policy_query_view
  add constraint policy_query_view_planned check (schedule_day is null or owner_user_role_id is not null);
