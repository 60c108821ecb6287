"""Trips that no plan can meet, each with a proof and a smallest set of wishes that clash."""
