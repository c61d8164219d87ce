-- Answers stood in clear here. Emptied as a whole, so that no page of the table keeps them: a key that is repeated
-- across this migration is a new request.
truncate kernel_idempotency;
alter table kernel_idempotency drop column envelope;
-- AES-256-GCM; null: the call's answer is secret and not stored.
alter table kernel_idempotency add column answer text;
