import { slot, slotPage } from './slots.tsx';

/** Pages that are made of a definition; the domain of definitions fills it. Its token is the address. */
export const lowcodePlace = slot('lowcodePage');
/** `'/tHospital': lowcodePage`: a page of its domain whose first definition ships with the domain's server part. */
export const lowcodePage = slotPage(lowcodePlace);
