-- The gates of a touch are known by their codes: a gate that is put between others renames none.
update corpus_follow_send s
  set gate_trace = (
    select jsonb_agg(t.step || jsonb_build_object('gate', coalesce(g.code, t.step ->> 'gate')) order by t.n)
      from jsonb_array_elements(s.gate_trace) with ordinality as t (step, n)
      left join (
        values
          ('G1', 'SWITCH'),
          ('G2', 'RUN'),
          ('G3', 'CONSENT'),
          ('G4', 'CHANNEL'),
          ('G5', 'STOP'),
          ('G6', 'CONDITION'),
          ('G7', 'EXPIRY'),
          ('G8', 'MATERIAL'),
          ('G9', 'WINDOW'),
          ('G10', 'ACTIVITY'),
          ('G11', 'CAP')
      ) as g (position, code) on g.position = t.step ->> 'gate'
  )
  where jsonb_array_length(s.gate_trace) > 0;
comment on column corpus_follow_send.gate_trace is 'Gates that judged the touch, by code.';
