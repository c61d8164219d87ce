-- Orders that the lists of drugstores and medicines declare.
create index institution_drugstore_by_name on institution_drugstore (name);
create index institution_drugstore_by_change on institution_drugstore (updated_at);
create index pharma_medicine_by_change on pharma_medicine (updated_at);
