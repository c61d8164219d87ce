-- The planner's statistics of a domain's tables, renewed by the application: the role in which it works owns no table.
create function kernel_analyze_tables(domain text) returns void language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  names text;
begin
  select string_agg(format('public.%I', relname), ', ' order by relname) into names from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and starts_with(relname, domain || '_');
  if names is not null then
    execute 'analyze ' || names;
  end if;
end $$;
revoke execute on function kernel_analyze_tables(text) from public;
