-- Banks use their numbers again: a flow is one by its account, its number and its day.
drop index policy_premium_receipt_flow;
create unique index policy_premium_receipt_flow on policy_premium_receipt (bank_account_hash, bank_flow_no, paid_on);
