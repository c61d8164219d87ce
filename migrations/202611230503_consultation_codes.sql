-- Columns that hold codes of the contract list them, so that the table types know them.
alter table consultation_im_message
  add check (type in ('TIMTextElem', 'TIMImageElem', 'TIMSoundElem', 'TIMVideoFileElem', 'TIMFileElem', 'TIMCustomElem', 'TIMGroupTipElem'));
alter table consultation_inquiry add check (rate_tags <@ array['PROMPT', 'CLEAR', 'KIND', 'EXPERT']);
