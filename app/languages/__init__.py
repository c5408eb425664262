"""The languages of players' pages: sentences that can be translated, and the catalogues."""
