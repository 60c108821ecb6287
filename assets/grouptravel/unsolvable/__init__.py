"""Groups whose firm wishes no plan can keep, each with a proof and a smallest set of wishes that clash."""
