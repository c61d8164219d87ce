-- Columns that hold codes of the contract's dictionaries list them, so that the table types know them.
alter table pharma_medicine
  add check (dosage_form in ('TABLET', 'FILM_TABLET', 'CAPSULE', 'SOFT_CAPSULE', 'GRANULE', 'INJECTION', 'POWDER_INJ', 'PREFILLED', 'PEN', 'ORAL_LIQUID', 'INHALANT', 'OINTMENT', 'PATCH', 'DROPS', 'SUPPOSITORY', 'OTHER'));
