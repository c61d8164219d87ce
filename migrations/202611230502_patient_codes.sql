-- Columns that hold codes of the contract's dictionaries list them, so that the table types know them.
alter table patient_consent
  add check (consent_type in ('PRIVACY', 'MEDICAL_DATA', 'TELEMED', 'FOLLOW_UP', 'MARKETING', 'SHARE_INSURER', 'SHARE_PHARMA', 'CROSS_PERSON'));
alter table patient_consent_state
  add check (consent_type in ('PRIVACY', 'MEDICAL_DATA', 'TELEMED', 'FOLLOW_UP', 'MARKETING', 'SHARE_INSURER', 'SHARE_PHARMA', 'CROSS_PERSON'));
alter table patient_real_name_request add check (id_type in ('ID', 'PASSPORT', 'HKMO', 'TW', 'FOREIGN', 'BIRTH'));
alter table patient_real_name_check add check (id_type in ('ID', 'PASSPORT', 'HKMO', 'TW', 'FOREIGN', 'BIRTH'));
