"""Names, signs and codes of currencies as people write them, in English, German and Arabic."""

from babel.numbers import list_currencies

# read in any case; the other codes of ISO 4217 in capitals only, because some are words (`top`)
COMMON = "AUD CAD CHF CNY CZK DKK EUR GBP HKD HUF INR JPY KES NGN NOK NZD PLN SEK SGD USD ZAR"
NO_MONEY = "XXX XTS XAU XAG XPT XPD XDR XBA XBB XBC XBD XSU XUA"  # metals, tests, units
CODES = sorted({*list_currencies()} - {*NO_MONEY.split()})
DOLLARS = {"AUD", "CAD", "HKD", "NZD", "SGD", "USD"}
# as written, in lower case -> a code, `$` for any dollar, '' for several currencies
SIGNS = {
    "£": "GBP",
    "€": "EUR",
    "₹": "INR",
    "zł": "PLN",
    "fr.": "CHF",
    "$": "$",
    "¥": "",
    "kr": "",
    "₦": "NGN",
    "₵": "GHS",
    "gh₵": "GHS",
    "₺": "TRY",
    "₪": "ILS",
    "₽": "RUB",
    "฿": "THB",
    "₩": "KRW",
    "₫": "VND",
    "₱": "PHP",
    "₴": "UAH",
    "₸": "KZT",
    "৳": "BDT",
    "r$": "BRL",
    "ksh": "KES",
    "ksh.": "KES",
    "kshs": "KES",
    "tsh": "TZS",
    "ush": "UGX",
    "rs.": "",
    "rs": "",
}
OWN_DOLLARS = {"us": "USD", "au": "AUD", "a": "AUD", "ca": "CAD", "c": "CAD", "hk": "HKD",
               "nz": "NZD", "s": "SGD"}  # fmt: skip
SEVERAL = [  # names of more than one currency
    *("shilling", "shillings", "schilling", "rupee", "rupees", "rupien", "franc", "francs"),
    *("krona", "kronor", "krone", "kroner", "kronen", "peso", "pesos", "dinar", "dinars"),
    *("dirham", "dirhams", "riyal", "riyals", "lira"),
    *("جنيه", "جنيها", "جنيهات", "درهم", "درهما", "دراهم", "دينار", "دينارا", "دنانير"),
    *("ريال", "ريالا", "ريالات", "ليرة", "شلن", "شلنا"),
]
WORDS = {
    **dict.fromkeys(SEVERAL, ""),
    **dict.fromkeys(("pound", "pounds", "quid", "pfund"), "GBP"),
    **dict.fromkeys(("dollar", "dollars", "دولار", "دولارا", "دولارات"), "$"),
    **dict.fromkeys(("euro", "euros", "يورو"), "EUR"),
    "naira": "NGN",
    "rand": "ZAR",
    "cedi": "GHS",
    "cedis": "GHS",
    "birr": "ETB",
    "yen": "JPY",
    "yuan": "CNY",
    "shekel": "ILS",
    "shekels": "ILS",
    "rouble": "RUB",
    "roubles": "RUB",
    "zloty": "PLN",
    "złoty": "PLN",
    "franken": "CHF",
    "reais": "BRL",
}
SMALL = ("pence", "p", "cents", "cent", "c", "rappen")
UNITS = {
    **{code.lower(): code for code in COMMON.split()},
    **SIGNS,
    **{f"{name}$": code for name, code in OWN_DOLLARS.items()},
}
ALL = {
    **{code.lower(): code for code in CODES},
    **UNITS,
    **WORDS,
    **dict.fromkeys(SMALL, ""),
}
