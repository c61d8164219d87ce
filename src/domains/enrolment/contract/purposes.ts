/** What the mark of a special user is based on. */
export const MARK_EVIDENCE = 'ENROL_MARK';
