-- append-only: kernel_contribution
-- Who wrote, submitted and decided each document that needs a second person.
create table kernel_contribution (
  id bigint generated always as identity primary key,
  document_type text not null,
  document_id text not null,
  user_id bigint not null,
  act text not null check (act in ('WRITE', 'STEP', 'DECIDE')),
  at timestamptz not null
);
create index kernel_contribution_document on kernel_contribution (document_type, document_id, id);

-- What was written before is known by its trail; its rows name authors and submitters besides.
insert into kernel_contribution (document_type, document_id, user_id, act, at)
  select t.target_type, t.target_id, t.user_id,
    case
      when t.action not in (
        'approve', 'reject', 'approveFirst', 'approveSecond', 'rejectSecond', 'forward', 'passOn', 'secondApprove', 'secondReject',
        'schedule', 'pass', 'toRecheck', 'return', 'recheckPass', 'recheckReturn', 'recheckReject', 'link', 'approveIgnore',
        'refuseIgnore', 'publish', 'rollback', 'manualPass', 'manualReject'
      ) then 'WRITE'
      when t.to_state in ('PENDING_SECOND', 'RECHECK') then 'STEP'
      else 'DECIDE'
    end, t.at
    from kernel_audit_trail t
    where t.user_id is not null and t.action not in ('claim', 'release')
    order by t.id;
