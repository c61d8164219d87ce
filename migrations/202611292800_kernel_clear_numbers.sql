-- Account numbers stood in clear in stored events. Nobody consumes this event yet, so no stored one is ever read again; from now on it
-- carries a cipher, and the account itself is asked from institution.
update kernel_outbox set payload = payload - 'accountNo'
  where name = 'institution.drugstoreAccount.changed' and payload ? 'accountNo';
alter table kernel_outbox add constraint kernel_outbox_no_clear_account
  check (name <> 'institution.drugstoreAccount.changed' or not payload ? 'accountNo');
