-- Lists are sorted by the heads of these columns; the id follows, as it ends every order.
create index policy_policy_end on policy_policy (coverage_end, id);
create index policy_policy_insured on policy_policy (insured_count, id);
create index policy_policy_premium on policy_policy (premium_fen, id);
create index policy_endorsement_effective on policy_endorsement (effective_on, id);
create index policy_premium_order_due_all on policy_premium_order (due_on, id);
create index policy_premium_order_amount on policy_premium_order (amount_fen, id);
create index policy_premium_receipt_paid on policy_premium_receipt (paid_on, id);
create index policy_premium_receipt_amount on policy_premium_receipt (amount_fen, id);
create index policy_abnormal_finding_due on policy_abnormal_finding (due_at, id);
