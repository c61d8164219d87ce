-- What somebody found out of a refund whose outcome is open; it counts once a second person has confirmed it.
alter table doctor_consult_refund
  add column found_outcome text check (found_outcome in ('SUCCESS', 'FAILED')),
  add column found_refund_no text check (char_length(found_refund_no) between 1 and 64),
  add column found_note text check (char_length(found_note) between 1 and 500),
  add column found_file_id bigint,
  add column found_by bigint,
  add column found_at timestamptz,
  add check (num_nulls(found_outcome, found_note, found_file_id, found_by, found_at) in (0, 5)),
  add check (found_outcome is distinct from 'SUCCESS' or found_refund_no is not null);
