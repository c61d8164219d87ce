-- Lists are sorted by the heads of these columns; prices stand by their effective date from the start.
create index pharma_medicine_apply_created on pharma_medicine_apply (created_at, id);
create index pharma_sku_price_effective on pharma_sku_price (effective_from, id);
