-- Changes that wait for a decision stand before those that are decided.
create index doctor_attribution_change_standing on doctor_attribution_change (
  (case when state in ('APPROVED', 'REJECTED', 'CANCELLED') then 1 else 0 end),
  id desc
);
