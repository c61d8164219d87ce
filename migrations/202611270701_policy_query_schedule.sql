-- A view may be exported every month: for its owner and for whom he names, into their download centres.
alter table policy_query_view
  add column schedule_day int check (schedule_day between 1 and 28),
  add column recipients jsonb not null default '[]' check (jsonb_typeof(recipients) = 'array'),
  add column next_on date,
  add column last_run_at timestamptz,
  add constraint policy_query_view_scheduled check ((schedule_day is not null) = (next_on is not null)),
  add constraint policy_query_view_day check (next_on is null or extract(day from next_on) = schedule_day);
create index policy_query_view_due on policy_query_view (next_on) where next_on is not null;
