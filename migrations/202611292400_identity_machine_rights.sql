-- A machine may only what it was given: rights of signed calls are rights of their own, so what was chosen of people's rights so far falls away.
alter table identity_api_client drop constraint identity_api_client_party_check;
alter table identity_api_client add constraint identity_api_client_party_check
  check (party in ('INSURER', 'PHARMA', 'SUPPLIER', 'CHAIN', 'MINI_APP', 'PAY', 'OTHER'));
update identity_api_client set permissions = '[]', scope = scope || '{"own": false}';
