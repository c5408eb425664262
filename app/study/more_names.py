"""Common given and family names that the census of the US lacks, in small letters, without accents.

Names that are English or German words are left out.
"""

MORE_NAMES = frozenset(
    """
    achim aleksandra alessandro alexei alina amina andrzej anke annika antje arkadiusz arne ayse
    aysel azra bartosz beata birgit bjorn bogdan carsten celik chiara claus cyril daria darya demir
    denys detlef dieter dilara dmitri dmitry edyta ekaterina elif emel emre esra evgeni fatma
    federica felicitas filip francesca frauke frederik gerd gesine giorgos giovanni giulia giuseppe
    gizem gokhan grzegorz gudrun gunther gustav hakan halil hannelore harald hatice heike heiko
    heinrich helga henrike hiroshi hristo huseyin ibrahim igor ilse imke inga ingeborg iryna
    jaroslav jasmina javier jens jochen jorg jurgen juri kadir katarzyna katharina katja kazimierz
    kemal klaus krzysztof kurt ljiljana lorenzo lothar lukas magdalena maike manfred marek mareike
    marija marta martyna mateusz matteo matthias mehmet mesut michal miroslav mohamed monika murat
    mustafa mustermann nadja natalya niels nikita nikolai nils oezdemir okan oksana oleg oleksandr
    olha omer onur ozdemir ozturk paolo pawel pelin petra petrov piotr radoslaw rainer reinhard
    renate rudiger sabine sebastian selim serhii serkan sevgi siegfried silke slawomir soren sven
    svetlana swantje szymon tadeusz tanja tatjana tetiana thorsten torben torsten tuncay uwe valerio
    viktor vladimir volker vytautas waltraud wei werner wilhelm wioletta wojciech xiao
    yasemin yilmaz yuki yusuf zbigniew zeynep zofia
    """.split()  # noqa: SIM905 - a list of words is easier to read and to extend
)
