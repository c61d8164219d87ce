-- Since when the outcome of a payment or refund is open, and when the channel is asked next (1, 5, 15, 60 minutes, then hourly).
alter table doctor_consult_order
  add column unknown_since timestamptz,
  add column ask_due_at timestamptz;
update doctor_consult_order
  set unknown_since = coalesce(pay_asked_at, created_at), ask_due_at = coalesce(pay_asked_at, created_at)
  where state = 'WAIT_PAY' and pay_result = 'UNKNOWN';
alter table doctor_consult_order
  add check ((unknown_since is null) = (ask_due_at is null)),
  -- what is known, or over, is not asked for
  add check (ask_due_at is null or (state = 'WAIT_PAY' and pay_result = 'UNKNOWN')),
  add check (state <> 'WAIT_PAY' or pay_result is distinct from 'UNKNOWN' or ask_due_at is not null);
create index doctor_consult_order_ask_due on doctor_consult_order (ask_due_at) where ask_due_at is not null;

alter table doctor_consult_refund
  add column unknown_since timestamptz,
  add column ask_due_at timestamptz;
update doctor_consult_refund
  set unknown_since = coalesce(asked_at, updated_at), ask_due_at = coalesce(asked_at, updated_at)
  where state = 'UNKNOWN';
alter table doctor_consult_refund
  add check ((unknown_since is null) = (ask_due_at is null)),
  add check ((ask_due_at is not null) = (state = 'UNKNOWN'));
create index doctor_consult_refund_ask_due on doctor_consult_refund (ask_due_at) where ask_due_at is not null;
