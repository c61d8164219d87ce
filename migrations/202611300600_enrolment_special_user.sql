-- Marks of persons that change how their applications to HMO products are reviewed, or what they pay: dated, and passed by a second person.

create table enrolment_special_user (
  id bigint generated always as identity primary key,
  -- whom it is about: the certificate's keyed hash, else the mobile's
  person_key text not null,
  name text not null check (char_length(name) between 1 and 30),
  mobile_cipher text,
  mobile_hash text,
  mobile_masked text,
  id_no_cipher text,
  id_no_hash text,
  id_no_masked text,
  mark_type text not null check (mark_type in ('SKIP_REVIEW', 'FORCE_RECHECK', 'BLOCK', 'WAIVE_FEE', 'TEST')),
  -- empty: all products of the HMO line
  product_ids bigint[] not null default '{}',
  start_date date not null,
  end_date date not null,
  reason text not null check (char_length(reason) between 1 and 200),
  evidence_file_ids bigint[] not null default '{}',
  -- the mark in force that this one follows, once it is passed
  replaces_id bigint references enrolment_special_user (id),
  state text not null default 'PENDING' check (state in ('PENDING', 'EFFECTIVE', 'REJECTED', 'REVOKED', 'EXPIRED')),
  opinion text check (char_length(opinion) <= 500),
  -- how often it changed what became of an application
  hits int not null default 0 check (hits >= 0),
  maker_id bigint not null,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (end_date >= start_date),
  check (end_date - start_date <= 730),
  check (person_key = coalesce(id_no_hash, mobile_hash)),
  check ((mobile_hash is null) = (mobile_cipher is null)),
  check ((id_no_hash is null) = (id_no_cipher is null)),
  check (mark_type not in ('BLOCK', 'WAIVE_FEE') or cardinality(evidence_file_ids) > 0),
  check ((checker_id is null) = (checker_name is null)),
  check (checker_id is null or checker_id <> maker_id),
  check (state in ('PENDING', 'REJECTED') or checker_id is not null),
  check (replaces_id is null or replaces_id <> id),
  constraint enrolment_special_user_overlap
    exclude using gist (person_key with =, mark_type with =, daterange(start_date, end_date, '[]') with &&) where (state = 'EFFECTIVE')
);
create unique index enrolment_special_user_successor on enrolment_special_user (replaces_id) where state = 'PENDING';
create index enrolment_special_user_person on enrolment_special_user (person_key);
create index enrolment_special_user_mobile on enrolment_special_user (mobile_hash) where mobile_hash is not null;
create index enrolment_special_user_id_no on enrolment_special_user (id_no_hash) where id_no_hash is not null;
create index enrolment_special_user_ends on enrolment_special_user (end_date) where state = 'EFFECTIVE';
create index enrolment_special_user_state on enrolment_special_user (state, id);
